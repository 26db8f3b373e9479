include!(concat!(env!("OUT_DIR"), "/ems.rs"));

use ems::catalog::v1::{CreateTopicRequest, TopicStatus};
use prost::Message;

fn main() {
    let request = CreateTopicRequest { title: "Opening an account".into(), ..Default::default() };
    let read = CreateTopicRequest::decode(request.encode_to_vec().as_slice()).expect("what was written");
    println!("{} {}", read.title, TopicStatus::Draft.as_str_name());
}
